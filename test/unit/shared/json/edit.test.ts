import { describe, expect, it } from 'vitest'
import { JsonEditError, editJson, parseJsonEdit } from '#shared/json/edit.ts'

const edit = (text: string, ...edits: string[]): string => editJson(text, edits.map(parseJsonEdit))

const flat = '{"type":"A","data":{"total":1,"tags":["a","b"],"cause":null}}'
const indented =
  '{\r\n\t"type" : "A",\r\n\t"data" : {\r\n\t\t"total" : 1\r\n\t},\r\n\t"more" : {}\r\n}\r\n'

const awkward = (name: string): string =>
  `\uFEFF {"id":9007199254740993 ,\t"id":1E400,"note":"a\\/b\\u00e9", "data":{"name":${name},"price":42.50,"e":1.5E+3}}\r\n\r\n`
const deep = (value: string): string =>
  `{"x":${'['.repeat(200_000)}${']'.repeat(200_000)},"y":${value}}`

describe('editJson', () => {
  it('keeps everything outside the value: notations, escapes, duplicate keys, white space, mark', () => {
    expect(edit(awkward('"Table 7"'), 'data.name=X')).toBe(awkward('"X"'))
    expect(edit(awkward('{"a":[1]}'), 'data.name=null')).toBe(awkward('null'))
  })

  it.each([
    ['data.total=42.50', '{"type":"A","data":{"total":42.50,"tags":["a","b"],"cause":null}}'],
    ['data.total="12"', '{"type":"A","data":{"total":"12","tags":["a","b"],"cause":null}}'],
    ['type=X = Y', '{"type":"X = Y","data":{"total":1,"tags":["a","b"],"cause":null}}'],
    ['type=', '{"type":"","data":{"total":1,"tags":["a","b"],"cause":null}}'],
    ['data.tags.1=c', '{"type":"A","data":{"total":1,"tags":["a","c"],"cause":null}}'],
    ['data.tags[2]=c', '{"type":"A","data":{"total":1,"tags":["a","b","c"],"cause":null}}'],
    ['data.cause.x.y=1', '{"type":"A","data":{"total":1,"tags":["a","b"],"cause":{"x":{"y":1}}}}'],
    ['data={ "a": 1 }', '{"type":"A","data":{ "a": 1 }}'],
    ['new.deep=[1]', `${flat.slice(0, -1)},"new":{"deep":[1]}}`],
    ['toString.x=1', `${flat.slice(0, -1)},"toString":{"x":1}}`],
  ])('%s', (assignment, expected) => {
    expect(edit(flat, assignment)).toBe(expected)
  })

  it.each([
    ['data.tip=2', ' "data" : {.. "total" : 1,.. "tip" : 2. },. "more" : {}'],
    ['data.a.b=2', ' "data" : {.. "total" : 1,.. "a" : {... "b" : 2.. }. },. "more" : {}'],
    ['more.x=2', ' "data" : {.. "total" : 1. },. "more" : {.. "x" : 2. }'],
    ['more.x.y=2', ' "data" : {.. "total" : 1. },. "more" : {.. "x" : {... "y" : 2.. }. }'],
  ])('inserts %s in the style of its neighbours', (assignment, members) => {
    const lines = members.replaceAll(/\.+/g, (dots) => `\r\n${'\t'.repeat(dots.length)}`)
    const data = lines.replaceAll('\t ', '\t')
    expect(edit(indented, assignment)).toBe(
      `{\r\n\t"type" : "A",\r\n\t${data.trimStart()}\r\n}\r\n`,
    )
  })

  it('inserts with the spaces of one line', () => {
    expect(edit('{"a": 1, "b": [1, 2]}', 'c=3', 'b.2=3')).toBe('{"a": 1, "b": [1, 2, 3], "c": 3}')
    expect(edit('{ "a": 1 }', 'b=2')).toBe('{ "a": 1, "b": 2 }')
    expect(edit('{}', 'a.b=1', 'a.c=2')).toBe('{"a":{"b":1,"c":2}}')
    expect(edit('{ }', 'a=1')).toBe('{"a":1}')
  })

  it('edits the last of duplicate keys, escaped ones too', () => {
    expect(edit('{"a":{"b":1},"\\u0061":{"b":1,"b":2}}', 'a.b=3')).toBe(
      '{"a":{"b":1},"\\u0061":{"b":1,"b":3}}',
    )
  })

  it('edits deep bodies without recursion', () => {
    expect(edit(deep('1'), 'y=2')).toBe(deep('2'))
  })

  it.each([
    ['data.total', 'write path=value'],
    ['=1', 'write path=value'],
    ['data..total=1', 'names separated by dots'],
    ['data.total.x=1', 'data.total is a number and has no fields'],
    ['type.x=1', 'type is a string'],
    ['data.tags.x=1', '“x” is not a list index'],
    ['data.tags.length=0', '“length” is not a list index'],
    ['data.tags.4=1', 'the list has 2 entries'],
    ['__proto__.polluted=1', '__proto__ is not allowed'],
  ])('rejects %s', (assignment, message) => {
    expect(() => edit(flat, assignment)).toThrow(JsonEditError)
    expect(() => edit(flat, assignment)).toThrow(message)
  })

  it.each(['', '[]', '"a"', '{"a":1} x', '{"a":1', '{a:1}'])('rejects the body %j', (text) => {
    expect(() => edit(text, 'a=1')).toThrow('must be a JSON object')
  })
})
