"""What a judge and a blind solver are asked, and how their replies are read."""
