"""Objects looked for by a detector behind HTTP: four forms of server, one form of result."""

from operators.onevision.detecting.detector import Detector, detector_of
from operators.onevision.detecting.profiles import PROFILES, ProfileName

__all__ = ["PROFILES", "Detector", "ProfileName", "detector_of"]
