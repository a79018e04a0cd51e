import { generate, type GenerateResult } from 'selfsigned';
import { hostBehindProxy } from './loopbackServers';

const day = 24 * 60 * 60 * 1000;

/** PEM texts of a key and of what vouches for it. */
export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

export interface CertificateOptions {
  /** Names and addresses that it is for; 127.0.0.1 and `hostBehindProxy` unless told. */
  readonly hosts?: readonly string[];
  /** Days from now until it ends; negative: it has ended. */
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

/** The authority that `editorNetwork` finds among the certificates of this system: one, since it reads them once. */
export function systemAuthority(): Promise<Certificate> {
  trusted ??= newAuthority('an authority of this system');
  return trusted;
}

/** @param authority signs it; where it is left out, the certificate vouches for itself. */
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
