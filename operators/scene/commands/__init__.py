"""The commands of scene_edit."""
