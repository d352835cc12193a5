import { describe, expect, it } from 'vitest'
import { readAuthorization } from '#sandbox/service/authorize.ts'

const redirectUrl = 'https://client.example/cb?a=1'
const known = { accessId: 'acc 1', redirectUrls: ['http://127.0.0.1:5000/cb', redirectUrl] }

const right = `response_type=code&access_id=acc%201&redirect_url=${encodeURIComponent(redirectUrl)}`

describe('readAuthorization', () => {
  it('accepts a valid request in any order and encoding', () => {
    expect(readAuthorization(right, known)).toEqual({ redirectUrl, rawState: null })
    const other = `access_id=acc+1&other=x&redirect_url=https:%2f%2Fclient.example/cb?a=1&response%5Ftype=code`
    expect(readAuthorization(other, known)).toEqual({ redirectUrl, rawState: null })
  })

  it.each([
    ['state=', ''],
    ['state', ''],
    ['state=a%20b+c', 'a%20b+c'],
    // Bytes that are not UTF-8 would be lost if they were decoded.
    ['state=%ff%00', '%ff%00'],
    ['%73tate=x=y', 'x=y'],
  ])('keeps the state as it was sent: %s', (pair, rawState) => {
    expect(readAuthorization(`${right}&${pair}`, known)).toEqual({ redirectUrl, rawState })
    expect(readAuthorization(`${pair}&${right}`, known)).toEqual({ redirectUrl, rawState })
  })

  it('reports each problem with the sent and the expected value', () => {
    expect(readAuthorization('response_type=Code&access_id=&state=1&state=2', known)).toEqual({
      problems: [
        expect.objectContaining({ parameter: 'response_type', given: 'Code', expected: ['code'] }),
        expect.objectContaining({ parameter: 'access_id', given: '', expected: ['acc 1'] }),
        expect.objectContaining({
          parameter: 'redirect_url',
          given: null,
          expected: known.redirectUrls,
        }),
        expect.objectContaining({ parameter: 'state', given: '1, 2' }),
      ],
    })
  })

  it('reports when no redirect URL is configured', () => {
    const result = readAuthorization(right, { ...known, redirectUrls: [] })
    expect(result).toMatchObject({ problems: [{ message: 'No redirect URL is configured.' }] })
  })
})
