"""The rule-based free gait and ditch crossing over ternary terrain."""
