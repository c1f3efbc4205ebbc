"""What type a picture is of, and what is in it: by rules from its path and its caption, or by a model's reply."""
