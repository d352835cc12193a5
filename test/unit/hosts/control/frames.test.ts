import { encode } from '@msgpack/msgpack'
import { expect, it } from 'vitest'
import { encodeFrame, FrameReader } from '#hosts/control/frames.ts'

const values = ['a token', { kind: 'hello' }, [1, null, new Uint8Array([0, 255])], 'x'.repeat(300)]
const stream = Buffer.concat(values.map(encodeFrame))

it.each([1, 3, 4, 5, 100, stream.byteLength])('reads frames from chunks of %i bytes', (size) => {
  const reader = new FrameReader(100_000)
  const read: unknown[] = []
  for (let at = 0; at < stream.byteLength; at += size)
    read.push(...reader.read(stream.subarray(at, at + size)))
  expect(read).toEqual(values)
})

it('accepts a frame at the limit, and rejects a larger one as soon as its header is complete', () => {
  const frame = encodeFrame('x'.repeat(100))
  const body = frame.byteLength - 4
  expect([...new FrameReader(body).read(frame)]).toEqual(['x'.repeat(100)])
  const reader = new FrameReader(body - 1)
  expect(() => [...reader.read(frame.subarray(0, 4))]).toThrow(RangeError)
})

it('applies a changed limit between two frames of one chunk', () => {
  const reader = new FrameReader(10)
  const read: unknown[] = []
  for (const value of reader.read(
    Buffer.concat([encodeFrame('short'), encodeFrame('x'.repeat(50))]),
  )) {
    read.push(value)
    reader.limit = 100
  }
  expect(read).toEqual(['short', 'x'.repeat(50)])
})

function framed(body: Uint8Array): Buffer {
  const head = Buffer.alloc(4)
  head.writeUInt32BE(body.byteLength)
  return Buffer.concat([head, body])
}

it('rejects what is not MessagePack, and data after a value', () => {
  for (const body of [Buffer.of(0xc1), Buffer.alloc(0), Buffer.concat([encode(1), encode(2)])])
    expect(() => [...new FrameReader(100).read(framed(body))]).toThrow()
})

it('omits undefined values', () => {
  const [value] = new FrameReader(100).read(encodeFrame({ a: undefined, b: 1 }))
  expect(value).toEqual({ b: 1 })
  expect(value).not.toHaveProperty('a')
})
