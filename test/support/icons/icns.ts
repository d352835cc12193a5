/**
 * The types of PNG images in an `.icns`, by size in pixels. The types for 16 and 32 points at 1x (`icp4`, `icp5`) are omitted:
 * macOS does not show them properly inside an app, and uses the next larger size instead.
 */
const kinds: readonly (readonly [kind: string, edge: number])[] = [
  ['ic11', 32],
  ['ic12', 64],
  ['ic07', 128],
  ['ic13', 256],
  ['ic08', 256],
  ['ic14', 512],
  ['ic09', 512],
  ['ic10', 1024],
]

/** Required sizes of an `.icns` in pixels. */
export const icnsEdges = [...new Set(kinds.map(([, edge]) => edge))]

/** Builds an Apple icon file: a header of 8 bytes, then for each image its type, its length including these 8 bytes, and the PNG. */
export function icns(pictures: ReadonlyMap<number, Buffer>): Buffer {
  const parts = kinds.flatMap(([kind, edge]) => {
    const png = pictures.get(edge)
    if (!png) throw new Error(`The icns needs a picture of ${edge} pixels.`)
    return [header(kind, png.length), png]
  })
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  return Buffer.concat([header('icns', length), ...parts])
}

function header(kind: string, content: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.write(kind, 'latin1')
  bytes.writeUInt32BE(content + 8, 4)
  return bytes
}
