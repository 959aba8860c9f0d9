"""The par sheet: what a test laboratory files about a game, every figure exact.

`figures` counts, `contents` says what stands on the sheet, and `web_page` and `printed` set the same contents as HTML
and as PDF, so that the two cannot differ in a number.
"""
