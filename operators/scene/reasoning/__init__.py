"""What a turn says beside its calls: written by rules, or asked of a model and read."""
