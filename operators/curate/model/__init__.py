"""What the operators of this family share: kinds of questions, and what a review says of a row."""
