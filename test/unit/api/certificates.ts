import { generate, type GenerateResult } from 'selfsigned';
import { hostBehindProxy } from './loopbackServers';

const day = 24 * 60 * 60 * 1000;

/** A key and its certificate as PEM texts. */
export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

export interface CertificateOptions {
  /** Its names and addresses; default: 127.0.0.1 and `hostBehindProxy`. */
  readonly hosts?: readonly string[];
  /** Days from now until it expires; negative: it has expired. */
  readonly endsIn?: number;
}

export const newAuthority = (name: string): Promise<Certificate> =>
  make(name, {
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  });

let trusted: Promise<Certificate> | undefined;

/**
 * The authority that `editorNetwork` finds among the certificates of this system. There is only one,
 * because it reads them once.
 */
export function systemAuthority(): Promise<Certificate> {
  trusted ??= newAuthority('an authority of this system');
  return trusted;
}

/** @param authority signs it; without one, the certificate is self-signed. */
export function newCertificate(
  authority: Certificate | undefined,
  { hosts = ['127.0.0.1', hostBehindProxy], endsIn = 1 }: CertificateOptions = {},
): Promise<Certificate> {
  return make('a server of a test', {
    ...(authority ? { ca: authority } : {}),
    notBeforeDate: new Date(Date.now() - 30 * day),
    notAfterDate: new Date(Date.now() + endsIn * day),
    extensions: [
      { name: 'basicConstraints', cA: false },
      {
        name: 'subjectAltName',
        altNames: hosts.map((host) =>
          /^[\d.]+$/.test(host) ? { type: 7, ip: host } : { type: 2, value: host },
        ),
      },
    ],
  });
}

async function make(
  name: string,
  options: NonNullable<Parameters<typeof generate>[1]>,
): Promise<Certificate> {
  const made: GenerateResult = await generate([{ name: 'commonName', value: name }], {
    keyType: 'ec',
    algorithm: 'sha256',
    ...options,
  });
  return { key: made.private, cert: made.cert };
}
