import { describe, expect, it } from 'vitest'
import { readCurlCommand } from '#engine/sending/curl/command.ts'

const read = (command: string) => {
  const { body, ...request } = readCurlCommand(command)
  return { ...request, body: Buffer.from(body).toString('utf8') }
}

const url = 'https://hooks.example/in?a=1&b=2'
const body = `{"type":"OPEN_TAB","name":"Zoë's\\n“Table”","price":42.50,"id":9007199254740993}`

describe('a command of a POSIX shell', () => {
  it('is read as browsers copy it', () => {
    expect(
      read(String.raw`curl '${url}' \
  -H 'content-type: application/json' \
  -H 'x-service-signature: 00' \
  -H ':authority: hooks.example' \
  --data-raw $'{"type":"OPEN_TAB","name":"Zo\xc3\xab\'s\\n\u201cTable\u201D","price":42.50,"id":9007199254740993}' \
  --compressed --insecure`),
    ).toEqual({
      method: 'POST',
      url,
      headers: [
        ['content-type', 'application/json'],
        ['x-service-signature', '00'],
      ],
      body,
      ignored: ['--compressed', '--insecure'],
    })
  })

  it.each([
    [String.raw`curl x -d "a\"b\\c\$d\e"`, String.raw`a"b\c$d\e`],
    [String.raw`curl x -d a\ b'c d'"e f"`, 'a bc de f'],
    ["curl x -d 'a\\\nb'", 'a\\\nb'],
    ['curl x -d "a\\\nb"', 'ab'],
    ['curl x \\\r\n -d a', 'a'],
    [String.raw`curl x -d $'\ud83c\udf54\U0001F354\101\t\q'`, '🍔🍔A\t\\q'],
    ["curl x -d 'é à' -d à", 'é à&à'],
    ["curl x -d ''", ''],
  ])('%j has its quotes and escapes removed', (command, expected) => {
    expect(read(command).body).toBe(expected)
  })

  it('keeps bytes that are not UTF-8', () => {
    expect(readCurlCommand(String.raw`curl x --data-binary $'\xff\x00'`).body).toEqual(
      Buffer.from([0xff, 0]),
    )
  })

  it('ends at an operator, and evaluates nothing', () => {
    expect(read('curl -s "http://a.example/$ID" -d "`id`$(id)" 2>/dev/null | jq')).toMatchObject({
      url: 'http://a.example/$ID',
      body: '`id`$(id)',
      ignored: ['$ID', '`…`', '$(…)', '>/dev/null | jq'],
    })
    expect(read('curl http://a.example/?a=1&b=2')).toMatchObject({
      url: 'http://a.example/?a=1&b=2',
      ignored: [],
    })
    expect(read('$ curl a.example; echo done').ignored).toEqual(['; echo done'])
  })

  it('must be complete', () => {
    for (const command of ["curl 'x", 'curl "x', String.raw`curl $'x\'`])
      expect(() => read(command)).toThrow('The command ends within quotes.')
  })

  it('is read in linear time', () => {
    const long = String.raw`\u0041`.repeat(300_000)
    expect(read(`curl x -d $'${long}'`).body.length).toBe(300_000)
    expect(read(`curl x -d ${'\\'.repeat(300_000)}`).body.length).toBe(150_000)
    expect(read(`curl ^"x^" -d ^"${'^\\'.repeat(300_000)}^"`).body.length).toBe(150_000)
    expect(
      read(`curl x -H 'A:${' '.repeat(300_000)}b' -d "${'$'.repeat(300_000)}"`).headers[0],
    ).toEqual(['A', 'b'])
  })
})

describe('a command of cmd', () => {
  it('is read as Chrome copies it', () => {
    expect(
      read(
        [
          'curl ^"https://hooks.example/in?a=1^&b=2^" ^',
          '  -H ^"content-type: application/json^" ^',
          '  -H ^"x-share: 50^%^25^" ^',
          String.raw`  --data-raw ^"^{^\^"type^\^":^\^"OPEN_TAB^\^",^\^"note^\^":^\^"a^\^\/b ^^ Zoë^\^"^

^}^" ^`,
          '  --compressed',
        ].join('\r\n'),
      ),
    ).toEqual({
      method: 'POST',
      url,
      headers: [
        ['content-type', 'application/json'],
        ['x-share', '50%25'],
      ],
      body: '{"type":"OPEN_TAB","note":"a\\/b ^ Zoë"\n}',
      ignored: ['--compressed'],
    })
  })

  it('is read as earlier browsers copied it', () => {
    expect(
      read(
        'curl "https://hooks.example/in?a=1&b=2" ^\r\n  -X PUT ^\r\n  --data-raw "{\\"type\\":\\"A\\",\\"path\\":\\"C:\\\\x\\\\\\"}"^\r\n\r\n"end"',
      ),
    ).toMatchObject({ method: 'PUT', url, body: '{"type":"A","path":"C:\\\\x\\"}\nend' })
  })

  it('may have its carets before operators only', () => {
    expect(read('curl http://x/?a=1^&b=2 -d "{\\"a\\":1}"')).toMatchObject({
      url: 'http://x/?a=1&b=2',
      body: '{"a":1}',
    })
  })
})

describe('options', () => {
  it.each([
    ['curl a.example', { method: 'GET', url: 'http://a.example', body: '' }],
    [
      'curl.exe -XPUT -d a --url https://a.example',
      { method: 'PUT', url: 'https://a.example', body: 'a' },
    ],
    ['/usr/bin/curl -sSLd a -d b x', { method: 'POST', body: 'a&b', ignored: ['-L'] }],
    ['curl -I x', { method: 'HEAD' }],
    [
      'curl -G -d a=1 -d b=2 https://x/?c#d',
      { method: 'GET', url: 'https://x/?c&a=1&b=2#d', body: '' },
    ],
    ["curl --data-urlencode 'a=ä &' --data-urlencode '=b c' x", { body: 'a=%C3%A4+%26&b+c' }],
    ['curl --data-raw @a x', { body: '@a' }],
    ['curl -o out -m 3 -k --http2 x', { method: 'GET', ignored: ['-m', '-k', '--http2'] }],
    ['curl -d a -H Content-Type: x', { headers: [] }],
  ])('%s', (command, expected) => {
    expect(read(command)).toMatchObject(expected)
  })

  it.each([
    ['-d a', ['Content-Type', 'application/x-www-form-urlencoded']],
    ["-d a -H 'content-type: x/y'", ['content-type', 'x/y']],
    ["-H 'X-Empty;'", ['X-Empty', '']],
    ['-u user:pass:word', ['Authorization', 'Basic dXNlcjpwYXNzOndvcmQ=']],
    ['--oauth2-bearer abc', ['Authorization', 'Bearer abc']],
    ["-A 'My agent'", ['User-Agent', 'My agent']],
    ['-e https://a.example', ['Referer', 'https://a.example']],
    ['-b a=1', ['Cookie', 'a=1']],
    ['-r 0-9', ['Range', 'bytes=0-9']],
    ["-H 'X-Name: voilà'", ['X-Name', Buffer.from('voilà').toString('latin1')]],
  ])('%s sets a header', (option, header) => {
    expect(read(`curl ${option} x`).headers).toEqual([header])
  })

  it('--json sets two, and joins its parts', () => {
    expect(read(`curl x --json '{"a":' --json 1} -H 'Accept: text/plain'`)).toMatchObject({
      method: 'POST',
      headers: [
        ['Accept', 'text/plain'],
        ['Content-Type', 'application/json'],
      ],
      body: '{"a":1}',
    })
  })

  it.each([
    ['', 'must start with curl'],
    ['wget x', 'must start with curl'],
    ['curl', 'no URL'],
    ['curl a b', '2 URLs'],
    ['curl -d @body.json x', '-d names the file body.json, which is not read.'],
    ['curl --data-binary @- x', '--data-binary names the file -'],
    ['curl --json @a x', '--json names the file a'],
    ['curl --data-urlencode a@b x', '--data-urlencode names the file b'],
    ['curl -H @a x', '-H names the file a'],
    ['curl -b jar x', '-b names the file jar'],
    ['curl -u user x', '-u requires user:password'],
    ['curl -F a=b x', 'Multipart forms'],
    ['curl -T a x', 'Uploads (-T) are not read.'],
    ['curl -K a x', 'Files with options (-K)'],
    ['curl --digest -u a:b x', 'Digest authentication'],
  ])('%j is refused', (command, message) => {
    expect(() => read(command)).toThrow(message)
  })
})
