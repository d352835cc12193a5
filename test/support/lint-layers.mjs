// The rule `layers/order` of the linter: a folder of the interface imports those after it, a page never another page.
import path from 'node:path'

const order = ['app', 'pages', 'parts', 'client', 'kit']

/** The folder and the page of a path in `src/renderer`: `['pages', 'send']`. Null for anything else. */
function placeOf(file) {
  const [, below] = file.split('/src/renderer/')
  const [folder = '', page = ''] = below?.split('/') ?? []
  return order.includes(folder) ? [folder, page] : null
}

function check(context, source) {
  if (typeof source?.value !== 'string') return
  const file = context.filename.replaceAll('\\', '/')
  const imported = source.value.startsWith('.')
    ? path.posix.join(path.posix.dirname(file), source.value)
    : source.value.replace('#', '/src/renderer/')
  const [from, to] = [placeOf(file), placeOf(imported)]
  if (!from || !to) return
  const steps = order.indexOf(to[0]) - order.indexOf(from[0])
  const isOtherPage = steps === 0 && from[0] === 'pages' && from[1] !== to[1]
  if (steps < 0 || isOtherPage) {
    const message = isOtherPage
      ? 'A page does not import another page. What both use is in parts.'
      : `${from[0]} does not import ${to[0]}. The order is ${order.join(', ')}.`
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
