"""Take the pictures of pages in `docs/`: ``python -m benchmarks.screenshots [demo ...]``.

A demo is a system, or one with options such as 'mdle --plan explore'.
"""

import sys
import time
from pathlib import Path

from PIL import Image, ImageOps

from benchmarks.pictures import open_demo

DOCS = Path(__file__).resolve().parent.parent / 'docs'
SIZE = (1400, 860)
MOMENTS = {
    'asv': ('body', 'crossing, part 3', 'Robot', 11.0),
    'scout': ('body', 'Connected', 'Robot', 30.0),
    'mdle': ('.innermost', 'go_to', 'Whole scene', 2.0),
    'mdle --plan explore': ('.innermost', 'arc', 'Whole scene', 100.0),
    'ars_magna': ('body', 'tracks small-box', 'Robot', 9.0),
}
"""The text of an element that shows that it is time, a view, and s from then on."""
TO_MOVE = 2.0
"""For the camera, s."""
CARD = """
for (const context of [WebGLRenderingContext, WebGL2RenderingContext]) {
  const get = context.prototype.getParameter;
  context.prototype.getParameter = function (name) {
    return name === 0x9246 ? 'a graphics card' : get.call(this, name);
  };
}
"""
"""Has a page draw all pixels, as where there is a graphics card."""


def file_of(demo: str) -> str:
    """Return the name of the file of a demo's picture."""
    return '_'.join(word for word in demo.split() if not word.startswith('--')) + '.png'


def main() -> None:
    """Take the pictures of the demos named on the command line, or of all."""
    for demo in sys.argv[1:] or MOMENTS:
        element, words, view, seconds = MOMENTS[demo]
        path = DOCS / file_of(demo)
        with open_demo(demo, *SIZE, CARD) as tab:
            text = f'document.querySelector("{element}")?.innerText'
            tab.wait_for(f'{text}.includes("{words}")', 300.0)
            time.sleep(seconds - TO_MOVE)
            tab.click(view)
            time.sleep(TO_MOVE)
            tab.picture(path)
        # Half of the size, without a difference to the eye.
        ImageOps.posterize(Image.open(path).convert('RGB'), 6).save(path, optimize=True)


if __name__ == '__main__':
    main()
