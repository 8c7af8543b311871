"""How well search finds: a corpus, paraphrased questions, and the methods that are compared on them."""
