const responseTypes = ['application/graphql-response+json', 'application/json', 'text/event-stream', 'multipart/mixed']

/**
 * Returns the ranges of an `Accept` header field with which yoga can respond, in yoga's spelling; null if there is none. Yoga itself
 * compares them only after it has executed the operation, and then discards the result, even of a mutation. It supports no other spelling
 * of UTF-8 than `charset=utf-8`, while clients also quote the value (RFC 9110 §5.6.6) or omit the hyphen.
 */
export function acceptedRanges(accept: string | undefined): string | null {
  const ranges = (accept || '*/*').replaceAll(/\s/g, '').toLowerCase().split(',')
  const accepted = ranges
    .map((range) => range.split(';').map((part) => (/^charset=("?)utf-?8\1$/.test(part) ? 'charset=utf-8' : part)))
    .filter(([mediaType, ...parameters]) => {
      const charset = parameters.find((parameter) => parameter.includes('charset='))
      return (charset === undefined || charset === 'charset=utf-8') && responseTypes.some((type) => rangesOf(type).includes(mediaType))
    })
  return accepted.length === 0 ? null : accepted.map((parts) => parts.join(';')).join(',')
}

const rangesOf = (type: string): (string | undefined)[] => [type, `${type.split('/')[0]}/*`, '*/*']
