import type { Ports } from '../core/ports.ts'

/** The URL under which the resources of directories are: what the administrator of a directory enters there. */
export const directoryUrlOf = ({ authUrl }: Pick<Ports, 'authUrl'>): string => `${authUrl}/scim/v2`
