"""The application, a folder for each feature: functions over an open space."""
