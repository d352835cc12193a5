import { extractFile, listPackage, statFile } from '@electron/asar'
import { isBuiltin } from 'node:module'
import { posix as path } from 'node:path'
import { parseSync, Visitor, type ESTree } from 'vite'
import { z } from 'zod'

/** The files of a package, by path without a leading slash. */
export type PackedFiles = ReadonlyMap<string, () => string>

/** Problems of a package. All lists are empty if the package can run. */
export interface PackageFaults {
  /** "file: specifier" for each reference to a missing file or package. */
  readonly missing: string[]
  /** "file: code" for each reference whose target is computed and therefore cannot be checked. */
  readonly unclear: string[]
  readonly unreachable: string[]
}

export interface PackageRoots {
  /** Files that the app starts or opens by name, and files that need no reference. */
  readonly entries: readonly string[]
  /** Known computed references, as "file: code", and the files that they load. */
  readonly computed: Readonly<Record<string, readonly string[]>>
  /** Optional packages. Only a `require` inside `try` may reference them. */
  readonly optional: readonly string[]
}

interface Reference {
  readonly specifier: string
  /** How the loader resolves the reference. A `url` is relative to the file, and never a package. */
  readonly kind: 'import' | 'require' | 'url'
  readonly inTry: boolean
}

/** Reads the file list of an archive. File contents are read on first access. */
export function packedFiles(archive: string): PackedFiles {
  const files = new Map<string, () => string>()
  const contents = new Map<string, string>()
  for (const listed of listPackage(archive, { isPack: false })) {
    const file = listed.replaceAll('\\', '/').slice(1)
    if ('files' in statFile(archive, file)) continue
    files.set(file, () => {
      const text = contents.get(file) ?? extractFile(archive, file).toString()
      contents.set(file, text)
      return text
    })
  }
  return files
}

/** Follows all references from the entries, like the loaders of Node and of browsers. */
export function checkPackage(files: PackedFiles, roots: PackageRoots): PackageFaults {
  const reached = new Set<string>()
  const missing: string[] = []
  const unclear: string[] = []
  const computed = new Map(Object.entries(roots.computed))

  function reach(file: string, from: string): void {
    if (!files.has(file)) missing.push(`${from}: ${file}`)
    else if (!reached.has(file)) {
      reached.add(file)
      follow(file)
    }
  }

  function follow(file: string): void {
    const text = files.get(file)?.() ?? ''
    if (isOfPage(file)) {
      for (const name of namesInPage(file, text)) {
        const found = targetOfPage(files, file, name)
        if (found === null) missing.push(`${file}: ${name}`)
        else reach(found, file)
      }
    } else if (/\.c?js$/.test(file)) {
      const found = referencesIn(file, text)
      for (const code of found.unclear) {
        const targets = computed.get(`${file}: ${code}`)
        if (targets === undefined) unclear.push(`${file}: ${code}`)
        for (const target of targets ?? []) reach(target, file)
      }
      for (const reference of found.references) {
        const target = resolve(files, file, reference)
        if (target !== null) reach(target, file)
        else if (!isProvided(reference, roots.optional)) {
          missing.push(`${file}: ${reference.specifier}`)
        }
      }
    }
  }

  for (const entry of roots.entries) reach(entry, 'entries')
  const unreachable = [...files.keys()].filter((file) => !reached.has(file))
  return { missing: missing.sort(), unclear: unclear.sort(), unreachable: unreachable.sort() }
}

function isProvided(
  { specifier, kind, inTry }: Reference,
  optional: PackageRoots['optional'],
): boolean {
  if (kind === 'url') return false
  return isBuiltin(specifier) || specifier === 'electron' || (inTry && optional.includes(specifier))
}

const Manifest = z.object({
  main: z.string().optional(),
  exports: z.record(z.string(), z.string()).optional(),
})

/** Returns the file that a reference loads; null: not in the package. */
function resolve(files: PackedFiles, from: string, { specifier, kind }: Reference): string | null {
  if (kind === 'url' || /^\.{1,2}(\/|$)/.test(specifier)) {
    const file = path.join(path.dirname(from), specifier)
    // Imports use exact file names. Only CommonJS tries extensions.
    const tried = kind === 'require' ? ['', '.js', '.json', '/index.js'] : ['']
    return tried.map((ending) => file + ending).find((name) => files.has(name)) ?? null
  }
  const [name = '', ...below] = specifier.split('/')
  const folder = `node_modules/${name}`
  const manifest = files.get(`${folder}/package.json`)
  if (manifest === undefined) return null
  const { main, exports } = Manifest.parse(JSON.parse(manifest()))
  const subpath = ['.', ...below].join('/')
  const target = exports === undefined ? (subpath === '.' ? main : subpath) : exports[subpath]
  return target === undefined ? null : path.join(folder, target)
}

interface Found {
  readonly references: Reference[]
  readonly unclear: string[]
}

/** Cache by content, so that unchanged files are parsed only once for several packages. */
const parsed = new Map<string, Found>()

function referencesIn(file: string, code: string): Found {
  const found = parsed.get(code) ?? parseReferences(file, code)
  parsed.set(code, found)
  return found
}

function parseReferences(file: string, code: string): Found {
  const isCommonJs = file.endsWith('.cjs') || file.startsWith('node_modules/')
  const { program, module, errors } = parseSync(file, code, {
    sourceType: isCommonJs ? 'commonjs' : 'module',
  })
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`)
  const references: Reference[] = []
  const unclear: string[] = []
  for (const { moduleRequest } of [
    ...module.staticImports,
    ...module.staticExports.flatMap(({ entries }) => entries),
  ]) {
    if (moduleRequest != null) {
      references.push({ specifier: moduleRequest.value, kind: 'import', inTry: false })
    }
  }
  let tries = 0
  /** Start offsets of each `import.meta` with a known use. */
  const understood = new Set<number>()
  const metas: ESTree.MetaProperty[] = []
  const source = ({ start, end }: ESTree.Span): string => code.slice(start, end)
  const add = (kind: Reference['kind'], of: ESTree.Span, target?: ESTree.Node): void => {
    const specifier = literal(target)
    if (specifier === null) unclear.push(source(of).replaceAll(/\s+/g, ' '))
    else references.push({ specifier, kind, inTry: tries > 0 })
  }
  new Visitor({
    TryStatement: () => void (tries += 1),
    'TryStatement:exit': () => void (tries -= 1),
    ImportExpression: (node) => add('import', node, node.source),
    MetaProperty: (node) => void metas.push(node),
    CallExpression(node) {
      if (node.callee.type !== 'Identifier') return
      if (/^_*require(Func)?(\$\d+)?$/.test(node.callee.name)) {
        add('require', node, node.arguments[0])
      }
    },
    NewExpression(node) {
      const [target, base] = node.arguments
      if (node.callee.type !== 'Identifier' || node.callee.name !== 'URL') return
      const meta = base === undefined ? null : metaOf(base)
      if (meta === null) return
      understood.add(meta.start)
      add('url', node, target)
    },
    'CallExpression:exit'(node) {
      const { callee } = node
      const name = callee.type === 'MemberExpression' ? callee.property : callee
      const meta = node.arguments[0] === undefined ? null : metaOf(node.arguments[0])
      if (meta !== null && name.type === 'Identifier' && name.name === 'createRequire') {
        understood.add(meta.start)
      }
    },
    ExpressionStatement({ expression }) {
      // Evaluated without using the result, as in the code of the bundler.
      const meta = metaOf(expression)
      if (meta !== null) understood.add(meta.start)
    },
  }).visit(program)
  for (const meta of metas) {
    if (meta.meta.name === 'import' && !understood.has(meta.start)) {
      unclear.push(/^import\.meta(\.\w+)?/.exec(code.slice(meta.start))?.[0] ?? '')
    }
  }
  return { references, unclear }
}

/** Returns the text of a string or of a template without placeholders. */
function literal(node: ESTree.Node | undefined): string | null {
  if (node?.type === 'Literal') return typeof node.value === 'string' ? node.value : null
  if (node?.type !== 'TemplateLiteral' || node.quasis.length !== 1) return null
  return node.quasis[0]?.value.cooked ?? null
}

/** Returns the `import.meta` of `import.meta.url` and similar expressions. */
function metaOf(node: ESTree.Node): ESTree.MetaProperty | null {
  if (node.type !== 'MemberExpression' || node.object.type !== 'MetaProperty') return null
  return node.object
}

/** Whether a file is a script, style or document of a page. Other files belong to Node. */
function isOfPage(file: string): boolean {
  return file.startsWith('out/renderer/') || file.endsWith('.html')
}

const parsedPages = new Map<string, string[]>()

function namesInPage(file: string, text: string): string[] {
  const found = parsedPages.get(text) ?? parseNamesInPage(file, text)
  parsedPages.set(text, found)
  return found
}

function parseNamesInPage(file: string, text: string): string[] {
  if (file.endsWith('.html')) {
    return Array.from(
      text.matchAll(/<[^>]* (?:src|href)="([^"#][^"]*)"/g),
      ([, name = '']) => name,
    ).filter((name) => !/^\w+:/.test(name))
  }
  if (file.endsWith('.css')) {
    return Array.from(text.matchAll(/url\(["']?([^"')]+)["']?\)/g), ([, name = '']) => name).filter(
      (name) => !/^(data:|#)/.test(name),
    )
  }
  if (!file.endsWith('.js')) return []
  const { program, module, errors } = parseSync(file, text, { sourceType: 'module' })
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`)
  const names = [
    ...module.staticImports,
    ...module.staticExports.flatMap(({ entries }) => entries),
  ].flatMap(({ moduleRequest }) => moduleRequest?.value ?? [])
  // Dependency lists of chunks, and fetched files, are strings in the code.
  const add = (value: string | null): void => {
    if (value !== null && /^\.\/[\w-]+\.(js|css|woff2|svg|png|txt|wasm)$/.test(value)) {
      names.push(value)
    }
  }
  new Visitor({
    Literal: (node) => add(literal(node)),
    TemplateLiteral: (node) => add(literal(node)),
    NewExpression({ callee, arguments: [target, base] }) {
      if (callee.type !== 'Identifier' || callee.name !== 'URL') return
      const name = base !== undefined && metaOf(base) !== null ? literal(target) : null
      if (name !== null) names.push(name)
    },
  }).visit(program)
  return names
}

/** Resolves a path relative to the file, or to the document for fetched files. */
function targetOfPage(files: PackedFiles, from: string, name: string): string | null {
  const beside = path.join(path.dirname(from), name)
  const below = path.join('out/renderer', name)
  return [beside, below].find((file) => files.has(file)) ?? null
}
