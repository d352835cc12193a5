/** An image: its PNG, and its RGBA pixels from the top left. */
export interface Picture {
  readonly edge: number
  readonly png: Buffer
  readonly pixels: Buffer
}

/** Minimum size of images stored as PNG. Smaller ones are stored as bitmaps, because not all readers of `.ico` files (especially installers) support small PNGs. */
const pngFrom = 256
const entryLength = 16

/** Builds a Windows icon file: a header, an entry for each image, then the images. */
export function ico(pictures: readonly Picture[]): Buffer {
  const head = Buffer.alloc(6)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(pictures.length, 4)
  const contents = pictures.map((picture) =>
    picture.edge >= pngFrom ? picture.png : bitmap(picture),
  )
  let at = head.length + entryLength * pictures.length
  const entries = pictures.map(({ edge }, index) => {
    const length = contents[index]?.length ?? 0
    const entry = Buffer.alloc(entryLength)
    // 256 does not fit in a byte and is written as 0.
    entry.writeUInt8(edge % 256, 0)
    entry.writeUInt8(edge % 256, 1)
    entry.writeUInt16LE(1, 4)
    entry.writeUInt16LE(32, 6)
    entry.writeUInt32LE(length, 8)
    entry.writeUInt32LE(at, 12)
    at += length
    return entry
  })
  return Buffer.concat([head, ...entries, ...contents])
}

/** Builds a bitmap with alpha: BGRA rows from the bottom, followed by a required but unused mask of one bit per pixel. */
function bitmap({ edge, pixels }: Picture): Buffer {
  const head = Buffer.alloc(40)
  head.writeUInt32LE(40, 0)
  head.writeInt32LE(edge, 4)
  // Colors and mask count as one image of twice the height.
  head.writeInt32LE(edge * 2, 8)
  head.writeUInt16LE(1, 12)
  head.writeUInt16LE(32, 14)
  const colours = Buffer.alloc(edge * edge * 4)
  const maskRow = Math.ceil(edge / 32) * 4
  const mask = Buffer.alloc(maskRow * edge)
  for (let y = 0; y < edge; y += 1) {
    for (let x = 0; x < edge; x += 1) {
      const from = (y * edge + x) * 4
      const row = edge - 1 - y
      const to = (row * edge + x) * 4
      const [red = 0, green = 0, blue = 0, alpha = 0] = pixels.subarray(from, from + 4)
      colours.set([blue, green, red, alpha], to)
      if (alpha === 0) {
        const byte = row * maskRow + (x >> 3)
        mask.writeUInt8(mask.readUInt8(byte) | (0x80 >> (x & 7)), byte)
      }
    }
  }
  return Buffer.concat([head, colours, mask])
}
