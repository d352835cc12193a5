import { createHash } from 'node:crypto'
import type { Plugin } from 'vite'

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

/** A script as it may stand in a page: it must neither end its element, nor begin what a parser takes for a comment. */
function inlineScript(code: string): string {
  const safe = code
    .replaceAll('</script', String.raw`<\/script`)
    .replaceAll('<!--', String.raw`\x3C!--`)
  if (/<!--|<\/script/i.test(safe))
    throw new Error('The script of the viewer cannot stand in a page.')
  return safe.trim()
}

/** Refuses what needs Node: the page would fail where it is opened. */
export function neverNode(): Plugin {
  return {
    name: 'never-node',
    enforce: 'pre',
    resolveId(source, importer) {
      if (source.startsWith('node:') || source === 'better-sqlite3') {
        this.error(`${importer} imports ${source}: the exported page has no Node.`)
      }
      return null
    },
  }
}

/**
 * Puts script and styles into the page itself, says in its policy that these and nothing else may run, and sees that nothing is left beside
 * it.
 */
export function singleFile(): Plugin {
  return {
    name: 'single-file',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const outputs = Object.values(bundle)
        const page = outputs.find(({ fileName }) => fileName.endsWith('.html'))
        const chunks = outputs.filter((output) => output.type === 'chunk')
        const styles = outputs.filter(({ fileName }) => fileName.endsWith('.css'))
        const [chunk] = chunks
        const [style] = styles
        if (page?.type !== 'asset' || style?.type !== 'asset' || !chunk) {
          throw new Error('The viewer needs a page, a script and styles.')
        }
        if (outputs.length !== 3) {
          const names = outputs.map(({ fileName }) => fileName).join(', ')
          throw new Error(`The viewer must become one file, but there are ${names}.`)
        }
        const script = inlineScript(chunk.code)
        const css = String(style.source).trim()
        if (/<\/style|url\((?!["']?data:)/i.test(css)) {
          throw new Error('The styles of the viewer cannot stand in a page.')
        }
        const policy = [
          "default-src 'none'",
          `script-src ${hashOf(script)}`,
          `style-src ${hashOf(css)}`,
          'font-src data:',
          'img-src data:',
          "base-uri 'none'",
          "form-action 'none'",
        ].join('; ')
        const html = String(page.source)
          .replace(/\s*<script type="module"[^>]*><\/script>/, '')
          .replace(/\s*<link rel="stylesheet"[^>]*>/, '')
        // Functions: in a text, `$&` of the script would mean something. The policy comes before all that it is to hold for.
        page.source = html
          .replace(
            '<head>',
            () => `<head>\n    <meta http-equiv="Content-Security-Policy" content="${policy}" />`,
          )
          .replace(
            '</head>',
            () => `<style>${css}</style>\n    <script type="module">${script}</script>\n  </head>`,
          )
        for (const { fileName } of [chunk, style]) delete bundle[fileName]
      },
    },
  }
}
