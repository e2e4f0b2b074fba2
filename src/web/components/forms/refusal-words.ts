import { formatMinutes } from '../../../../schema/core/attempts/attempt-limit.ts'
import type { DomainError } from '../../../../schema/core/errors.ts'
import { attributeName, invalidChoice, required, taken } from '../../../../schema/core/validation.ts'

// The schema's validation messages are for developers and name the parameter. Pages derive their messages from the same template and the
// label of the field, so that each rule and each label is written once.

/** The words that messages use for a field. */
export interface FieldWords {
  label: string
  /** Verb for the user's action in this field. */
  verb: 'Enter' | 'Choose' | 'Choose at least one'
  /** Noun for the user's input, with its article, if it is not the label: `your password`, `permission`. */
  noun?: string | undefined
}

const ofWrongType =
  /^The :attribute field (?:format is invalid|is invalid|must be (?:a string|an array|an object|an integer|true or false))\.$/
const sentence = (label: string, rest: string) => `${label} ${rest}`

/** Returns the message of a template, worded for the field of the page. */
export function formatRefusal(template: string, { label, verb, noun = withArticle(label) }: FieldWords): string {
  const isMissing = template.startsWith(required.slice(0, -1)) || template.endsWith('must have at least 1 items.')
  if (isMissing || verb === 'Choose at least one') return `${verb} ${noun}.`
  if (template === invalidChoice || ofWrongType.test(template))
    return verb === 'Enter' ? `Enter a valid ${withoutArticle(noun)}.` : `${verb} ${noun}.`
  if (template === taken) return sentence(label, 'is already taken.')
  // The noun of a number field states its range.
  if (noun !== withArticle(label) && /must (?:be at least|not be greater than) \d+\.$/.test(template)) return `${verb} ${noun}.`
  const [, kind] = /must be a valid (.+)\.$/.exec(template) ?? []
  if (kind !== undefined) return `Enter a valid ${kind}.`
  const rest = template
    .replace(/^The :attribute (?:field )?/, '')
    .replace(/must not be greater than (?=\d+ characters)/, 'must be at most ')
  return sentence(label, rest)
}

const lowerFirst = (label: string) => label.slice(0, 1).toLowerCase() + label.slice(1)
const withArticle = (label: string) => `${/^[aeiou]/i.test(label) ? 'an' : 'a'} ${lowerFirst(label)}`
const withoutArticle = (noun: string) => noun.replace(/^(?:an?|the|your) /, '')

/** Message for a hidden field, which is invalid only if the page is outdated or was modified. */
const staleForm = 'This page is out of date. Check it and try again.'

/** Returns the messages of the fields without repetitions, except where `isShown`. An error without fields has one message. */
export function listMessages({ code, message, details }: DomainError, isShown: (key: string) => boolean = () => false): string[] {
  const { errors, templates, retryAfterSeconds, limit } = details
  if (code === 'rate_limited') return [`Too many ${limit?.counted ?? 'attempts'}. Try again in ${formatDuration(retryAfterSeconds ?? 1)}.`]
  if (!errors) return [message]
  const hidden = Object.entries(errors).filter(([key]) => !isShown(key))
  const words = hidden.flatMap(([key, messages]) => (templates?.[key] ?? messages).map((message) => withoutField(message, key)))
  return [...new Set(words)]
}

function withoutField(template: string, key: string): string {
  if (template === taken) return `This ${attributeName(key)} is already taken.`
  return template.includes(':attribute') ? staleForm : template
}

const formatDuration = (seconds: number) => (seconds > 7200 ? `${Math.ceil(seconds / 3600)} hours` : formatMinutes(seconds))
