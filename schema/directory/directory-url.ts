import type { Ports } from '../core/ports.ts'

/** Returns the URL of the resources of directories, which the administrator of a directory enters there. */
export const buildDirectoryUrl = ({ authUrl }: Pick<Ports, 'authUrl'>): string => `${authUrl}/scim/v2`
