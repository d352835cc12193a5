import {
  createHash,
  createPrivateKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
  X509Certificate,
} from 'node:crypto'
import { isIP } from 'node:net'
import { AsnConvert, OctetString } from '@peculiar/asn1-schema'
import * as asn1 from '@peculiar/asn1-x509'

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
const ecdsaWithSha256 = '1.2.840.10045.4.3.2'
const commonName = '2.5.4.3'

/** A CA of its own for one relay, for 10 years, whose certificates clients accept exclusively. */
export function createAuthority(relay: string, now: number): Certified {
  const { publicKey, privateKey } = newKey()
  const subject = named(`Tabscope relay ${relay}`)
  return issue({
    subject,
    issuer: subject,
    publicKey,
    signer: privateKey,
    key: privateKey,
    from: now - beforeMs,
    to: now + authorityDays * dayMs,
    extensions: [
      extension(asn1.id_ce_basicConstraints, new asn1.BasicConstraints({ cA: true }), true),
      extension(
        asn1.id_ce_keyUsage,
        new asn1.KeyUsage(asn1.KeyUsageFlags.keyCertSign | asn1.KeyUsageFlags.cRLSign),
        true,
      ),
      extension(asn1.id_ce_subjectKeyIdentifier, keyIdentifier(publicKey)),
    ],
  })
}

/** For the names and addresses of `hosts`, for 5 years, at most as long as the CA. */
export function createServerCertificate(
  authority: Certified,
  hosts: readonly string[],
  now: number,
): Certified {
  const { publicKey, privateKey } = newKey()
  const parsed = new X509Certificate(authority.certificate)
  const names = hosts.map(
    (host) => new asn1.GeneralName(isIP(host) === 0 ? { dNSName: host } : { iPAddress: host }),
  )
  return issue({
    subject: named((hosts[0] ?? '').slice(0, 64)),
    issuer: AsnConvert.parse(parsed.raw, asn1.Certificate).tbsCertificate.subject,
    publicKey,
    signer: createPrivateKey(authority.key),
    key: privateKey,
    from: now - beforeMs,
    to: Math.min(now + serverDays * dayMs, Date.parse(parsed.validTo)),
    extensions: [
      extension(asn1.id_ce_basicConstraints, new asn1.BasicConstraints({ cA: false }), true),
      extension(asn1.id_ce_keyUsage, new asn1.KeyUsage(asn1.KeyUsageFlags.digitalSignature), true),
      // Servers of a cluster are clients of each other.
      extension(
        asn1.id_ce_extKeyUsage,
        new asn1.ExtendedKeyUsage([asn1.id_kp_serverAuth, asn1.id_kp_clientAuth]),
      ),
      extension(asn1.id_ce_subjectAltName, new asn1.SubjectAlternativeName(names)),
      extension(asn1.id_ce_subjectKeyIdentifier, keyIdentifier(publicKey)),
      extension(
        asn1.id_ce_authorityKeyIdentifier,
        new asn1.AuthorityKeyIdentifier({ keyIdentifier: keyIdentifier(parsed.publicKey) }),
      ),
    ],
  })
}

interface Order {
  readonly subject: asn1.Name
  readonly issuer: asn1.Name
  readonly publicKey: KeyObject
  readonly signer: KeyObject
  readonly key: KeyObject
  readonly from: number
  readonly to: number
  readonly extensions: asn1.Extension[]
}

function issue(order: Order): Certified {
  const algorithm = new asn1.AlgorithmIdentifier({ algorithm: ecdsaWithSha256 })
  const serial = randomBytes(16)
  // Positive and without leading zeros.
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x40
  const tbsCertificate = new asn1.TBSCertificate({
    version: asn1.Version.v3,
    serialNumber: exact(serial),
    signature: algorithm,
    issuer: order.issuer,
    subject: order.subject,
    validity: new asn1.Validity({ notBefore: new Date(order.from), notAfter: new Date(order.to) }),
    subjectPublicKeyInfo: keyInfo(order.publicKey),
    extensions: new asn1.Extensions(order.extensions),
  })
  const signed = Buffer.from(AsnConvert.serialize(tbsCertificate))
  const certificate = new asn1.Certificate({
    tbsCertificate,
    signatureAlgorithm: algorithm,
    signatureValue: exact(sign('sha256', signed, order.signer)),
  })
  return {
    certificate: new X509Certificate(Buffer.from(AsnConvert.serialize(certificate))).toString(),
    key: order.key.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

function newKey(): { publicKey: KeyObject; privateKey: KeyObject } {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' })
}

function named(text: string): asn1.Name {
  const value = new asn1.AttributeValue({ utf8String: text })
  const attribute = new asn1.AttributeTypeAndValue({ type: commonName, value })
  return new asn1.Name([new asn1.RelativeDistinguishedName([attribute])])
}

function extension(id: string, value: object, critical = false): asn1.Extension {
  return new asn1.Extension({
    extnID: id,
    critical,
    extnValue: new OctetString(AsnConvert.serialize(value)),
  })
}

function keyInfo(key: KeyObject): asn1.SubjectPublicKeyInfo {
  const der = key.export({ type: 'spki', format: 'der' })
  return AsnConvert.parse(der, asn1.SubjectPublicKeyInfo)
}

function keyIdentifier(key: KeyObject): asn1.SubjectKeyIdentifier {
  const bits = Buffer.from(keyInfo(key).subjectPublicKey)
  return new asn1.SubjectKeyIdentifier(exact(createHash('sha1').update(bits).digest()))
}

/** Small buffers share memory with others. */
function exact(bytes: Uint8Array): ArrayBuffer {
  return Uint8Array.from(bytes).buffer
}
