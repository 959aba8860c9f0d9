"""Which build of the service this is: a page that was made for another is told to reload."""

from puntobanco import __version__

BUILD = __version__
BUILD_HEADER = "x-puntobanco-build"
