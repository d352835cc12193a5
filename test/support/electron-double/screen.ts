import { assertReady } from './app.ts'

interface Rectangle {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

interface Display {
  readonly bounds: Rectangle
  readonly workArea: Rectangle
}

const workArea = { x: 0, y: 0, width: 1920, height: 1080 }
const primary = { bounds: workArea, workArea }

export const screen = {
  getPrimaryDisplay(): Display {
    assertReady('screen')
    return primary
  },
  getDisplayMatching(_bounds: Rectangle): Display {
    assertReady('screen')
    return primary
  },
}
