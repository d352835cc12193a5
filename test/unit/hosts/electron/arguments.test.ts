import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { endsEarly, readArguments, withSelfCheckOption } from '#hosts/electron/launch/arguments.ts'

const cwd = path.resolve('/somewhere')

describe('the arguments of the desktop app', () => {
  it('resolves the data folder against the working directory', () => {
    expect(readArguments(['--data', 'here'], cwd).dataDir).toBe(path.join(cwd, 'here'))
    expect(readArguments(['--data=here'], cwd).dataDir).toBe(path.join(cwd, 'here'))
  })

  it('leaves missing values to the defaults and the settings', () => {
    expect(readArguments([], cwd)).toEqual({
      dataDir: undefined,
      listenerPort: undefined,
      hidden: false,
      files: [],
      link: null,
    })
  })

  it('accepts a link, and nothing after it: a link must not select the folder', () => {
    const args = [
      '--data',
      'here',
      '--',
      'tabscope://log/1',
      '--data',
      '/evil',
      '--port=1',
      'a.har',
    ]
    expect(readArguments(args, cwd)).toEqual({
      dataDir: path.join(cwd, 'here'),
      listenerPort: undefined,
      hidden: false,
      files: [],
      link: 'tabscope://log/1',
    })
    expect(readArguments(['TABSCOPE:x', 'tabscope://log/1'], cwd).link).toBe('TABSCOPE:x')
    expect(readArguments(['/a/tabscope:x'], cwd).link).toBeNull()
  })

  it('starts hidden with --hidden', () => {
    expect(readArguments(['--hidden', '--data', 'here'], cwd)).toMatchObject({ hidden: true })
    expect(readArguments(['--hidden=no'], cwd).hidden).toBe(false)
  })

  it('ignores switches of Chromium and the folder of the app', () => {
    const args = ['/app', '--no-sandbox', '--remote-debugging-port=0', '--port', '0']
    expect(readArguments(args, cwd).listenerPort).toBe(0)
  })

  it.each(['65536', '-1', '1.5', 'x', '0x10', ' 1'])('rejects the port %j', (port) => {
    expect(() => readArguments([`--port=${port}`], cwd)).toThrow('--port requires a number')
  })

  it('resolves event logs against the working directory, and ignores other positional arguments', () => {
    const args = ['/app', '.', '--no-sandbox', 'a.tabscope', '--port', '0', '/b/c d.NDJSON.gz']
    expect(readArguments([...args, 'page.html', 'main.js', 'd.har'], cwd).files).toEqual([
      path.join(cwd, 'a.tabscope'),
      path.resolve('/b/c d.NDJSON.gz'),
      path.join(cwd, 'd.har'),
    ])
  })

  it('rejects a switch without its value', () => {
    expect(() => readArguments(['--data'], cwd)).toThrow('--data requires a folder')
    expect(() => readArguments(['--port'], cwd)).toThrow('--port requires a number')
  })
})

describe('what needs no window', () => {
  it.each([['--version'], ['-V'], ['--data', 'x', '--version']])(
    'prints the version for %j',
    (...args) => {
      expect(endsEarly(args, '1.2.3')).toEqual({ exitCode: 0, text: 'tabscope 1.2.3\n' })
    },
  )

  it('prints its help, which names the command line', () => {
    const end = endsEarly(['--help'], '1.2.3')
    expect(end?.exitCode).toBe(0)
    expect(end?.text).toContain('Install the command line')
    expect(endsEarly(['-h'], '1.2.3')).toEqual(end)
  })

  it.each([['deliveries', 'list'], ['listen'], ['--data', 'x', 'wait'], ['--', 'version']])(
    'refuses the words %j in one line',
    (...args) => {
      const end = endsEarly(args, '1.2.3')
      expect(end?.exitCode).toBe(2)
      expect(end?.text).toMatch(/^tabscope: "\w+" is not .+Install the command line.+\n$/)
    },
  )

  it.each([
    [],
    ['--data', 'folder', '--port', '0', '--hidden'],
    ['--self-check', '--report', 'out', '--timeout', '60s'],
    ['--ozone-platform-hint=auto', '-psn_0_989382', '-Embedding', '--no-sandbox'],
    ['log.tabscope', './notes', '/home/a/picture', 'C:\\x', 'page.html'],
    ['--', 'tabscope://log/1', '--version', 'listen'],
  ])('starts the app for %j', (...args) => {
    expect(endsEarly(args, '1.2.3')).toBeNull()
  })

  it('takes self-check for --self-check, in the first place only', () => {
    expect(withSelfCheckOption(['self-check', '--report', 'x'])).toEqual([
      '--self-check',
      '--report',
      'x',
    ])
    expect(withSelfCheckOption(['--data', 'self-check'])).toEqual(['--data', 'self-check'])
  })
})
