import path from 'node:path'

// By the names of their folders: commands do not load what is in them.
const foldersOf = (files: object): string[] =>
  Object.keys(files).map((file) => path.basename(path.dirname(file)))

export const frameworkIds = foldersOf(
  import.meta.glob('../../../../resources/generate/handlers/*/framework.json'),
)

export const testFrameworkIds = foldersOf(
  import.meta.glob('../../../../resources/generate/tests/*/framework.json'),
)
