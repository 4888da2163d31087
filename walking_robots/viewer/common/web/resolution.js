// Without a graphics card, a page draws few pixels, without antialiasing: more pictures a second.
const MOST_PIXELS = 150_000, PANELS_WIDTH = 690;
const graphics = document.createElement('canvas').getContext('webgl2');
const names = graphics?.getExtension('WEBGL_debug_renderer_info');
const renderer = names ? graphics.getParameter(names.UNMASKED_RENDERER_WEBGL) : '';
graphics?.getExtension('WEBGL_lose_context')?.loseContext();

if (/SwiftShader|llvmpipe|softpipe|Basic Render/.test(renderer)) {
  const getContext = HTMLCanvasElement.prototype.getContext;
  HTMLCanvasElement.prototype.getContext = function (kind, options) {
    return getContext.call(this, kind, { ...options, antialias: false });
  };
  const sceneWidth = innerWidth - (NARROW.matches ? 0 : PANELS_WIDTH);
  const ratio = Math.sqrt(MOST_PIXELS / (sceneWidth * innerHeight));
  if (ratio < devicePixelRatio) {
    const address = new URL(location);
    address.searchParams.set('fixedDpr', ratio.toFixed(2));
    // The library reads its options from the address when it starts.
    history.replaceState(history.state, '', address);
  }
}
