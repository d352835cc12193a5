// Used by the library when it is loaded.
import 'reflect-metadata'
import { createPrivateKey, webcrypto, X509Certificate as ParsedCertificate } from 'node:crypto'
import { isIP } from 'node:net'
import * as x509 from '@peculiar/x509'

// Node reads certificates but cannot make them. Loaded only by `tabscope relay init`.

/** PEM. */
export interface Certified {
  readonly certificate: string
  readonly key: string
}

const dayMs = 86_400_000
const authorityDays = 3650
const serverDays = 5 * 365
/** Clocks of clients may be behind. */
const beforeMs = 3_600_000
const keyAlgorithm = { name: 'ECDSA', namedCurve: 'P-256' }
const signingAlgorithm = { name: 'ECDSA', hash: 'SHA-256' }

/** A CA of its own for one relay, for 10 years, whose certificates clients accept exclusively. */
export async function createAuthority(relay: string, now: number): Promise<Certified> {
  const keys = await newKeys()
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: named(`Tabscope relay ${relay}`),
    notBefore: new Date(now - beforeMs),
    notAfter: new Date(now + authorityDays * dayMs),
    signingAlgorithm,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(
        x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign,
        true,
      ),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  return certified(certificate, keys)
}

/** For the names and addresses of `hosts`, for 5 years, at most as long as the CA. */
export async function createServerCertificate(
  authority: Certified,
  hosts: readonly string[],
  now: number,
): Promise<Certified> {
  const keys = await newKeys()
  const ca = new x509.X509Certificate(authority.certificate)
  const key = createPrivateKey(authority.key)
  const certificate = await x509.X509CertificateGenerator.create({
    subject: named((hosts[0] ?? '').slice(0, 64)),
    issuer: ca.subjectName,
    notBefore: new Date(now - beforeMs),
    notAfter: new Date(Math.min(now + serverDays * dayMs, ca.notAfter.getTime())),
    signingAlgorithm,
    signingKey: key.toCryptoKey(keyAlgorithm, false, ['sign']),
    publicKey: keys.publicKey,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      // Servers of a cluster are clients of each other.
      new x509.ExtendedKeyUsageExtension([
        x509.ExtendedKeyUsage.serverAuth,
        x509.ExtendedKeyUsage.clientAuth,
      ]),
      new x509.SubjectAlternativeNameExtension(
        hosts.map((host) => ({ type: isIP(host) === 0 ? 'dns' : 'ip', value: host })),
      ),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      await x509.AuthorityKeyIdentifierExtension.create(ca),
    ],
  })
  return certified(certificate, keys)
}

async function newKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(keyAlgorithm, true, ['sign', 'verify'])
}

/** Not as text, in which a comma would begin another part. */
function named(text: string): x509.Name {
  return new x509.Name([{ CN: [{ utf8String: text }] }])
}

async function certified(
  certificate: x509.X509Certificate,
  { privateKey }: webcrypto.CryptoKeyPair,
): Promise<Certified> {
  const key = await webcrypto.subtle.exportKey('pkcs8', privateKey)
  return {
    certificate: new ParsedCertificate(Buffer.from(certificate.rawData)).toString(),
    key: x509.PemConverter.encode(key, 'PRIVATE KEY'),
  }
}
