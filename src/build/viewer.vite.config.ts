import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { createHash } from 'node:crypto'

// The page of the `html` format: the components of the interface over records in the same file.
export default defineConfig({
  root: 'src/viewer',
  plugins: [neverNode(), react(), singleFile()],
  logLevel: 'warn',
  build: {
    outDir: '../../out/viewer',
    license: { fileName: 'licences.json' },
    emptyOutDir: true,
    minify: true,
    sourcemap: false,
    cssCodeSplit: false,
    assetsInlineLimit: 10_000_000,
    chunkSizeWarningLimit: 2000,
    modulePreload: false,
    reportCompressedSize: false,
    rolldownOptions: {
      input: { viewer: 'src/viewer/viewer.html' },
      output: { codeSplitting: false },
    },
  },
})

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

/** A script must neither end its element nor start a comment. */
function inlineScript(code: string): string {
  const safe = code
    .replaceAll('</script', String.raw`<\/script`)
    .replaceAll('<!--', String.raw`\x3C!--`)
  if (/<!--|<\/script/i.test(safe))
    throw new Error('The script of the viewer cannot be inlined in a page.')
  return safe.trim()
}

function neverNode(): Plugin {
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

/** The policy of the page allows only the inlined script and styles. Fails if the build has any other file. */
function singleFile(): Plugin {
  return {
    name: 'single-file',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const outputs = Object.values(bundle).filter(({ fileName }) => fileName !== 'licences.json')
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
          throw new Error('The styles of the viewer cannot be inlined in a page.')
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
        // Functions, since `$&` in a replacement text has a meaning. The policy precedes everything that it applies to.
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
