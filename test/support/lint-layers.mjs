// The rule `layers/order` of the linter: a folder of the interface imports those after it, a page never another page; a folder of the engine imports those
// before it (`src/README.md` has both orders).
import path from 'node:path'

const interfaceFolders = ['app', 'pages', 'parts', 'client', 'kit']
const engineFolders = [
  'app',
  'handlers',
  'event-logs',
  'authorization',
  'sending',
  'diagnosis',
  'search',
  'receiving',
  'deliveries',
  'payload',
  'platform',
]
const parts = [
  { prefix: '/src/renderer/', order: interfaceFolders },
  { prefix: '/src/engine/', order: engineFolders },
]

/** The part of the source, its folder and the one in it: of `src/renderer/pages/send/page.ts` `pages` and `send`. Null for any other file. */
function placeOf(file) {
  for (const part of parts) {
    const [, below] = file.split(part.prefix)
    const [folder = '', inside = ''] = below?.split('/') ?? []
    if (part.order.includes(folder)) return { part, folder, inside }
  }
  return null
}

function check(context, source) {
  if (typeof source?.value !== 'string') return
  const file = context.filename.replaceAll('\\', '/')
  const imported = source.value.startsWith('.')
    ? path.posix.join(path.posix.dirname(file), source.value)
    : source.value.replace(/^#(?:engine\/)?/, (alias) =>
        alias === '#' ? '/src/renderer/' : '/src/engine/',
      )
  const [from, to] = [placeOf(file), placeOf(imported)]
  if (!from || from.part !== to?.part) return
  const { order } = from.part
  const isOtherPage = from.folder === 'pages' && to.folder === 'pages' && from.inside !== to.inside
  if (order.indexOf(to.folder) < order.indexOf(from.folder) || isOtherPage) {
    const message = isOtherPage
      ? 'A page does not import another page. What both use is in parts.'
      : `${from.folder} does not import ${to.folder}. The order is ${order.join(', ')}.`
    context.report({ node: source, message })
  }
}

export default {
  meta: { name: 'layers' },
  rules: {
    order: {
      create: (context) =>
        Object.fromEntries(
          [
            'ImportDeclaration',
            'ImportExpression',
            'ExportNamedDeclaration',
            'ExportAllDeclaration',
          ].map((kind) => [kind, ({ source }) => check(context, source)]),
        ),
    },
  },
}
