print("moqspec-bench")
