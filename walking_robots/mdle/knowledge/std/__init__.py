"""The standard library of MDLe: declarations in the language, and what needs Python."""
