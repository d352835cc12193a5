import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** An image, represented by its file. Nothing is rendered. */
export class NativeImage {
  /** For the double: file name; `empty` if missing or unreadable. */
  readonly file: string

  readonly #png: Buffer | null

  constructor(file: string, png: Buffer | null = null) {
    this.file = file
    this.#png = png
  }

  isEmpty(): boolean {
    return this.file === 'empty' || this.#png?.byteLength === 0
  }

  toPNG(): Buffer {
    if (this.#png === null) throw new Error('The double decodes no pictures')
    return this.#png
  }
}

const signatures = [Buffer.from('\u0089PNG', 'latin1'), Buffer.from([0, 0, 1, 0])]

export const nativeImage = {
  createEmpty: (): NativeImage => new NativeImage('empty'),
  /** Returns an empty image if the file is missing or invalid, like Electron. */
  createFromPath(file: string): NativeImage {
    const isPicture =
      existsSync(file) &&
      signatures.some((start) => readFileSync(file).subarray(0, 4).equals(start))
    return new NativeImage(isPicture ? path.basename(file) : 'empty')
  },
}
