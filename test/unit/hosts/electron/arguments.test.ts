import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { readArguments } from '#hosts/electron/arguments.ts'

const cwd = path.resolve('/somewhere')

describe('the arguments of the desktop app', () => {
  it('takes the data folder from where it was started', () => {
    expect(readArguments(['--data', 'here'], cwd).dataDir).toBe(path.join(cwd, 'here'))
    expect(readArguments(['--data=here'], cwd).dataDir).toBe(path.join(cwd, 'here'))
  })

  it('leaves what is not given to the app and its settings', () => {
    expect(readArguments([], cwd)).toEqual({ dataDir: undefined, listenerPort: undefined })
  })

  it('lets the switches of Chromium and the folder of the app through', () => {
    const args = ['/app', '--no-sandbox', '--remote-debugging-port=0', '--port', '0']
    expect(readArguments(args, cwd).listenerPort).toBe(0)
  })

  it.each(['65536', '-1', '1.5', 'x', '0x10', ' 1'])('refuses the port %j', (port) => {
    expect(() => readArguments([`--port=${port}`], cwd)).toThrow('--port needs a number')
  })

  it('refuses a switch without its value', () => {
    expect(() => readArguments(['--data'], cwd)).toThrow('--data needs a folder')
    expect(() => readArguments(['--port'], cwd)).toThrow('--port needs a number')
  })
})
