import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import { systemReason } from '#shared/text/errors.ts'
import { AppError } from '../errors.ts'
import { parseProxy } from '../http/proxy.ts'

const pem = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g

/** Returns the certificates of a PEM file, and nothing else of it; null if `file` is empty. Throws `bad_input` with the reason. */
export async function readCertificates(file: string): Promise<string | null> {
  if (file === '') return null
  const bad = (reason: string): AppError =>
    new AppError('bad_input', `The CA file ${file} cannot be used. ${reason}`, {
      details: { fields: ['caFile'] },
    })
  if (!isAbsolute(file)) throw bad('Enter its complete path.')
  const text = await readFile(file, 'latin1').catch((error: unknown) => {
    throw bad(systemReason(error))
  })
  const certificates = text.match(pem) ?? []
  if (certificates.length === 0) {
    throw bad('It has no certificate in PEM format, which begins with -----BEGIN CERTIFICATE-----.')
  }
  for (const [index, certificate] of certificates.entries()) {
    if (!isCertificate(certificate)) {
      throw bad(`Certificate ${index + 1} of ${certificates.length} in it is damaged.`)
    }
  }
  return certificates.join('\n')
}

function isCertificate(text: string): boolean {
  try {
    return new X509Certificate(text).serialNumber !== ''
  } catch {
    return false
  }
}

/** Throws `bad_input`. A password is refused, because settings are stored unencrypted and shown. */
export function assertProxySetting(proxy: string): void {
  if (proxy === 'system' || proxy === 'none') return
  const parsed = /^https?:\/\//.test(proxy) ? parseProxy(proxy) : null
  if (!parsed) {
    throw badProxy(
      'Enter system, none, or the URL of an HTTP proxy such as http://proxy.example:3128.',
    )
  }
  if (parsed.authorization !== null) {
    throw badProxy(
      'The URL contains a user name or password, which would be stored unencrypted. Start Tabscope with it in HTTPS_PROXY and HTTP_PROXY, and set the proxy to system.',
    )
  }
}

function badProxy(message: string): AppError {
  return new AppError('bad_input', message, { details: { fields: ['proxy'] } })
}
