import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** A picture as its file: nothing is drawn here. */
export class NativeImage {
  /** For the double: its name; `empty` where there is none, or none that can be read. */
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
  /** Empty where the file is not there or is no picture, as in Electron. */
  createFromPath(file: string): NativeImage {
    const isPicture =
      existsSync(file) &&
      signatures.some((start) => readFileSync(file).subarray(0, 4).equals(start))
    return new NativeImage(isPicture ? path.basename(file) : 'empty')
  },
}
