"""Branch and bound over several components: is variable i in component t?"""
