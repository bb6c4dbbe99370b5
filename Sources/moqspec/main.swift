print("moqspec")
