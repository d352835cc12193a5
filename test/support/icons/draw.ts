import type { Page } from 'playwright-core'
import type { Picture } from './ico.ts'

/** Options for rendering a drawing. Sizes are in pixels. */
export interface Drawing {
  readonly svg: string
  readonly edge: number
  /** Value of `currentColor`. */
  readonly colour?: string
  /** Margin on each side. */
  readonly inset?: number
}

/** Renders an SVG with the browser on a transparent background. Reuses the page. */
export async function draw(page: Page, drawing: Drawing): Promise<Picture> {
  const { svg, edge, colour = '#000', inset = 0 } = drawing
  const source = Buffer.from(svg.replaceAll('currentColor', colour)).toString('base64')
  await page.setViewportSize({ width: edge, height: edge })
  // Rendered as an image, so that the drawing's media queries use its own size.
  await page.setContent(
    `<body style="margin:0"><img style="display:block;margin:${inset}px" width="${edge - 2 * inset}" src="data:image/svg+xml;base64,${source}">`,
  )
  await page.evaluate(() => document.querySelector('img')?.decode())
  const png = await page.screenshot({ omitBackground: true })
  const pixels = await page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
    const bitmap = await createImageBitmap(new Blob([bytes]))
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
    const context = canvas.getContext('2d')
    context?.drawImage(bitmap, 0, 0)
    const { data } = context?.getImageData(0, 0, bitmap.width, bitmap.height) ?? { data: [] }
    return Array.from(data)
  }, png.toString('base64'))
  return { edge, png, pixels: Buffer.from(pixels) }
}
