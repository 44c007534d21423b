"""The application, a folder for each feature: functions over an open space."""

import lazy_loader

# A command pays for the functions that it calls, and not for all of them.
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
