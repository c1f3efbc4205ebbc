"""How the reasoning of a row is written anew: by rules, or what a model is asked and how its reply is read."""
