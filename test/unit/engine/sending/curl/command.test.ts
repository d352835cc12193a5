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
    expect(read(`iwr x -Body "${'`"'.repeat(300_000)}"`).body.length).toBe(300_000)
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

describe('a text with more than the command', () => {
  it.each([
    ['a code fence', 'Try:\n```sh\ncurl x -d a\n```\nThen it fails.'],
    ['a comment before it', '# Sends it\ncurl x -d a # again'],
    ['a commented command', '# curl x -d a'],
    ['prompts', '$ curl x \\\n> -d a'],
    ['a prompt of root', 'root@host:~# curl x -d a'],
    ['a prompt of PowerShell', 'PS C:\\Users\\me> curl.exe x -d a'],
    ['a prompt of cmd', 'C:\\Users\\me>curl x ^\r\nMore? -d a'],
    ['a variable', 'B=a\ncurl x -d $B'],
    ['an environment and a pipe', 'TOKEN=1 curl x -d a | jq .'],
    ['a variable from a heredoc', 'B=$(cat <<\'E\'\na\nE\n)\ncurl x -d "$B"'],
    ['a heredoc as its input', 'curl x -d @- <<E\na\nE'],
    ['a file as its input', "cat <<'E' | curl x -d @-\na\nE"],
    ['a string as its input', 'curl x -d @- <<< a'],
    ['an echo as its input', 'echo a | curl x -d @-'],
    ['a printf as its input', "printf '%s' a | curl x --data-binary @-"],
    ['a byte order mark', '\uFEFFcurl x -d a'],
    ['a lost backslash at the end of a line', 'curl x\n  -d a'],
  ])('has %s', (_, text) => {
    expect(read(text)).toMatchObject({ method: 'POST', url: 'http://x', body: 'a' })
  })

  it('says what it leaves out', () => {
    expect(read('cd /tmp; TOKEN=1 curl x -d "$OTHER" | jq .').ignored).toEqual([
      'cd /tmp',
      '$OTHER',
      'TOKEN=…',
      '| jq .',
    ])
  })
})

describe('a form', () => {
  it('is written as curl writes it', () => {
    const { headers, body: form } = read(`curl x -F 'a="b\\"c";type=text/x' --form-string d=@e`)
    const [, boundary = ''] =
      /^multipart\/form-data; boundary=(-{24}\w{16})$/.exec(headers[0]?.[1] ?? '') ?? []
    expect(form.split(boundary)).toEqual([
      '--',
      '\r\nContent-Disposition: form-data; name="a"\r\nContent-Type: text/x\r\n\r\nb"c\r\n--',
      '\r\nContent-Disposition: form-data; name="d"\r\n\r\n@e\r\n--',
      '--\r\n',
    ])
  })
})

// Cases 14 and 16 of the second round.
describe('a command of Windows', () => {
  it.each([
    [
      'Firefox for cmd, where two quotes in quotes are one',
      'curl "http://x" -H "User-Agent: Mozilla/5.0" --data "{""type"":""A"",""path"":""C:\\\\x""}"',
      '{"type":"A","path":"C:\\x"}',
    ],
    [
      'curl.exe in PowerShell before 7.3',
      'curl.exe -X POST "http://x" `\n  -d \'{\\"type\\":\\"A\\"}\'',
      '{"type":"A"}',
    ],
    [
      'Invoke-WebRequest, as browsers copy it',
      'Invoke-WebRequest -UseBasicParsing -Uri "http://x" `\n-Method "POST" `\n-Headers @{\n"accept"="*/*"\n  "x-a"="b"\n} `\n-ContentType "application/json" `\n-Body "{`"type`":`"$([char]0x00e9)`"}"',
      '{"type":"é"}',
    ],
    [
      'Invoke-RestMethod with variables',
      '$body = @\'\n{"type":"A"}\n\'@\nInvoke-RestMethod http://x -Method Post -Body $body',
      '{"type":"A"}',
    ],
    [
      'Invoke-RestMethod with a type and an expression of a variable only',
      '[string]$host = "x"\nirm "http://$($host)" -CustomMethod POST -Body "a"',
      'a',
    ],
    ['curl.exe with quotes escaped by backticks', 'curl.exe x -d "{`"a`":1}"', '{"a":1}'],
  ])('is read as %s', (_, text, expected) => {
    expect(read(text)).toMatchObject({ method: 'POST', url: 'http://x', body: expected })
  })
})

it('reads the headers of an ordered table', () => {
  expect(read("$h = [ordered]@{ 'X-A' = '1' }\nirm x?a=[1] -Headers $h")).toMatchObject({
    url: 'http://x?a=[1]',
    headers: [['X-A', '1']],
  })
})

it('keeps typographic characters in quotes and within words', () => {
  expect(read("curl x -d '“a” – b' -d a–b").body).toBe('“a” – b&a–b')
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
    ['curl --digest -u a:b -b jar x', { headers: [], ignored: ['--digest', '-b jar'] }],
    ['curl x --url-query a=b -d c', { url: 'http://x?a=b', body: 'c' }],
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
    ['curl -u user x', '-u requires user:password'],
    ['curl -F a=@b x', '-F names the file b'],
    ['curl -d a=b -F a=b x', '-d and -F cannot be combined.'],
    ['curl a && curl b', 'several commands'],
    ['for i in 1 2; do curl x; done', 'a script with "for"'],
    ['curl http://x/[1-3]', 'several requests'],
    ['curl -d @- x << E\nab', 'within a heredoc'],
    ['Invoke-WebRequest x -Body ($a | ConvertTo-Json)', 'an expression of PowerShell'],
    ['iwr x -InFile a', 'Uploads (-T)'],
    ['curl -T a x', 'Uploads (-T) are not read.'],
    ['curl -K a x', 'Files with options (-K)'],
    ["fetch('http://x')", 'a call of fetch, not a cURL command'],
    ['POST /in HTTP/1.1', 'a request as text'],
    ['// sends it\nconst a = await fetch("http://x")', 'a call of fetch'],
    ["axios.post('http://x')", 'a call of axios'],
    ['```sh\n$ http POST :3000 a=1\n```', 'a command of HTTPie'],
    ['a = requests.get("http://x")', 'Python'],
    ['curl x –d “a”', 'typographic quotes or dashes'],
    ["$a = @{ Uri = 'http://x' }\nInvoke-RestMethod @a", 'parameters of @a are in a table'],
  ])('%j is refused', (command, message) => {
    expect(() => read(command)).toThrow(message)
  })
})
