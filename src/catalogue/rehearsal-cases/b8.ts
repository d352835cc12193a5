import { bodyWith, defineCase } from '../rehearsal/define.ts'

const polluting = {
  ['__proto__']: '{"isAdmin":true,"toString":null}',
  constructor: '{"prototype":{"isAdmin":true,"toString":null}}',
}

export default defineCase({
  id: 'B8',
  group: 'body',
  title: 'Keys named __proto__ and constructor',
  level: 'SHOULD',
  basis: null,
  expected: 'Accept or reject without a server error, and keep running',
  why: 'Code that copies keys without a check changes every object of the process. The next order may then be processed with rights that its sender does not have.',
  fix: 'parse-safely',
  hostile: true,
  variants: (builder) => {
    const inData = builder.event()
    const atTop = builder.event()
    const members = Object.entries(polluting).map(([key, value]) => `"${key}":${value}`)
    return [
      {
        name: 'in data',
        steps: [builder.deliver(inData, { body: bodyWith(inData, polluting), signed: true })],
        expect: 'no-server-error',
      },
      {
        name: 'at the top',
        steps: [
          builder.deliver(atTop, {
            body: JSON.stringify(atTop).replace('{', `{${members.join(',')},`),
            signed: true,
          }),
        ],
        expect: 'no-server-error',
      },
    ]
  },
})
