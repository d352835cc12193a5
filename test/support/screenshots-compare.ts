import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { browser } from './product.ts'

const root = path.join(import.meta.dirname, '../..')

/** The difference of a color channel, of 255, up to which pixels count as equal: curves are not always drawn the same. */
const tolerance = 32

/** Up to this number of different pixels, pictures count as equal, for the same reason. A letter has about as many. */
const noise = 30

/** A part of a picture, in pixels. */
export interface Area {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Text that differs in each run: times, durations, ports, random IDs and tokens, what depends on the speed of the machine. */
const changing = [
  /\d{1,2}:\d\d/,
  /\d{4}-\d\d-\d\d/,
  /\d (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)/,
  /\d\s?(?:ms|s|min|h|d)\b/,
  /just now|\bago\b|this minute|behind|up to date|redacted-|given-/,
  /:\d{4,5}\b|\bport \d|%3A\d/,
  /[\da-f]{8}|[\w-]{20}|[…•·][\w-]{4}/,
  /\d%|KiB|\d of \d+ (?:GiB|requests)/,
].map(({ source }) => source)

/** Drawings of times and durations. */
const drawings = '.bar-rate, .spark, .phases, .chart, .charts-row, .history-strip, .tunnel-facts'

/** Returns the parts of the page that differ in each run. A text counts with its block, or with its row if that is one line. */
export async function changingAreas(page: Page): Promise<Area[]> {
  return page.evaluate(
    ({ sources, selector }) => {
      const pattern = new RegExp(sources.join('|'), 'u')
      // oxlint-disable-next-line unicorn/consistent-function-scoping -- only this function is sent to the page
      const blockOf = (start: Element): Element => {
        let element = start
        for (let above = element.parentElement; above; above = element.parentElement) {
          const isInline = /^(?:inline|contents)/.test(getComputedStyle(element).display)
          const isLine = /flex/.test(getComputedStyle(above).display) && above.clientHeight <= 40
          if (!isInline && !isLine) break
          element = above
        }
        return element
      }
      const found = new Set<Element>(document.querySelectorAll(selector))
      const roots: Node[] = [document.body]
      for (const root of roots) {
        const nodes = document.createTreeWalker(
          root,
          NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT,
        )
        for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
          if (node instanceof Element && node.shadowRoot) roots.push(node.shadowRoot)
          const { nodeValue, parentElement } = node
          if (!nodeValue || !parentElement) continue
          // A text can be split into several nodes and elements.
          const block = blockOf(parentElement)
          const read = [nodeValue, parentElement.textContent, block.textContent]
          if (read.some((text) => text.length < 400 && pattern.test(text))) found.add(block)
        }
      }
      for (const field of document.querySelectorAll('input, textarea')) {
        if ('value' in field && pattern.test(String(field.value))) found.add(field)
      }
      // The width of a list field depends on its options, and the place of what follows on its width.
      for (const field of document.querySelectorAll('select')) {
        const row = field.parentElement?.parentElement
        if (row && pattern.test(field.textContent)) found.add(row)
      }
      const over = '[role="dialog"], [role="listbox"]'
      return [...found].flatMap((element) => {
        const { x, y, width, height } = element.getBoundingClientRect()
        if (width === 0 || height === 0) return []
        const covering = document.elementFromPoint(x + width / 2, y + height / 2)?.closest(over)
        const isCovered = covering && !covering.contains(element) && !element.matches(selector)
        return isCovered ? [] : [{ x, y, width, height }]
      })
    },
    { sources: changing, selector: drawings },
  )
}

/**
 * Compares each picture of a folder with the one of the same name in resources/screenshots, as it is or at a Git revision. Prints the share of
 * different pixels outside of the changing areas, and writes a picture of the differences.
 *
 * @param taken The changing areas of each picture, by the name of its file.
 * @param against A Git revision; undefined: the files as they are.
 * @returns The number of pictures that differ.
 */
export async function compareScreenshots(
  folder: string,
  taken: ReadonlyMap<string, readonly Area[]>,
  against: string | undefined,
): Promise<number> {
  const page = await (await browser()).newPage()
  let different = 0
  for (const [file, areas] of taken) {
    const before = pictureBefore(`resources/screenshots/${file}`, against)
    const after = readFileSync(path.join(folder, file))
    const result = before && (await difference(page, before, after, areas))
    if (result && result.count <= noise) continue
    different += 1
    const marked = path.join(folder, file.replace('.png', '.diff.png'))
    if (result) writeFileSync(marked, Buffer.from(result.marked, 'base64'))
    const share = result ? `${(result.share * 100).toFixed(3)}%  ${marked}` : 'new'
    console.log(`${file.padEnd(40)} ${share}`)
  }
  await page.close()
  console.log(`${different} of ${taken.size} screenshots differ.`)
  return different
}

function pictureBefore(file: string, against: string | undefined): Buffer | null {
  if (against === undefined) {
    const known = path.join(root, file)
    return existsSync(known) ? readFileSync(known) : null
  }
  const [cwd, listed] = [root, ['ls-tree', '--name-only', against, '--', file]]
  if (execFileSync('git', listed, { cwd }).length === 0) return null
  return execFileSync('git', ['show', `${against}:${file}`], { cwd, maxBuffer: 64 * 1024 * 1024 })
}

/** The share of pixels that differ, and the later picture with these in red and the ignored areas in gray, in Base64. */
async function difference(
  page: Page,
  before: Buffer,
  after: Buffer,
  areas: readonly Area[],
): Promise<{ count: number; share: number; marked: string }> {
  const pictures = [before, after].map((picture) => picture.toString('base64'))
  return page.evaluate(
    async ([sources, ignored, limit]) => {
      const drawn = await Promise.all(
        sources.map(async (base64) => {
          const image = new Image()
          image.src = `data:image/png;base64,${base64}`
          await image.decode()
          const canvas = document.createElement('canvas')
          canvas.width = image.width
          canvas.height = image.height
          const context = canvas.getContext('2d')
          if (!context) throw new Error('No canvas.')
          context.drawImage(image, 0, 0)
          context.fillStyle = '#888'
          for (const { x, y, width, height } of ignored) {
            context.fillRect(Math.floor(x) - 2, Math.floor(y) - 2, width + 5, height + 5)
          }
          const { data } = context.getImageData(0, 0, image.width, image.height)
          return { canvas, context, data }
        }),
      )
      const [old, now] = drawn
      if (!old || !now) throw new Error('No picture.')
      let count = 0
      now.context.fillStyle = '#f00'
      for (let at = 0; at < now.data.length; at += 4) {
        const differs = [0, 1, 2].some(
          (channel) =>
            Math.abs((now.data[at + channel] ?? 0) - (old.data[at + channel] ?? 0)) > limit,
        )
        if (!differs) continue
        count += 1
        const { width } = now.canvas
        now.context.fillRect((at / 4) % width, Math.floor(at / 4 / width), 1, 1)
      }
      const [, marked = ''] = now.canvas.toDataURL().split(',')
      return { count, share: (count * 4) / now.data.length, marked }
    },
    [pictures, areas, tolerance] as const,
  )
}
