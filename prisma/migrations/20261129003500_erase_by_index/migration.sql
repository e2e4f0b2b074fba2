-- The erasure of a deleted account finds the audit entries that name it by indexes. It read the whole audit log for each account
-- (docs/operations/scaling.md).

-- Entries with an address as the name of their subject, such as those of invitations.
CREATE INDEX "audit_entries_subject_address" ON "audit_entries" ("subject_name") WHERE "subject_name" LIKE '%@%';

-- Strings with an @ in the values before and after. Without fastupdate, a change never waits for the insertion of earlier ones.
CREATE INDEX "audit_entries_value_addresses" ON "audit_entries" USING gin (
    jsonb_path_query_array('[]'::jsonb || coalesce("before", '[]') || coalesce("after", '[]'), 'strict $.** ? (@ like_regex "@")')
) WITH (fastupdate = off) WHERE "before"::text LIKE '%@%' OR "after"::text LIKE '%@%';

-- The entries to erase are found once, and `reached_entries` of them are erased.
ALTER TABLE "erasures"
    DROP COLUMN "reached_id",
    ADD COLUMN "entry_ids" UUID[],
    ADD COLUMN "reached_entries" INTEGER NOT NULL DEFAULT 0;

-- Replaces the name and the address of the user whose account was deleted first, in so many audit entries at most, by a pseudonym.
-- Returns the number of these entries, or the maximum if there is more to do. An account that was deleted a moment ago waits: a
-- change of another user that names it may not be committed yet.
CREATE OR REPLACE FUNCTION "erase_deleted_users"(present timestamptz, maximum integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
    person "erasures";
    pseudonym text;
    address text;
    erased text;
    named text;
    renamed text;
    ids uuid[];
BEGIN
    SELECT * INTO person FROM "erasures" WHERE "requested_at" < present - interval '1 minute'
        ORDER BY "requested_at" LIMIT 1 FOR UPDATE SKIP LOCKED;
    IF NOT FOUND THEN
        RETURN 0;
    END IF;
    IF person."entry_ids" IS NULL THEN
        DELETE FROM "invitations" WHERE "email" = person."email";
        UPDATE "teams" SET "gravatar_email" = NULL WHERE "gravatar_email" = person."email";
        -- The conditions with LIKE are those of the indexes.
        person."entry_ids" := ARRAY(
            SELECT "id" FROM "audit_entries" WHERE "actor_user_id" = person."user_id"
            UNION SELECT "id" FROM "audit_entries" WHERE "subject" = ANY (ARRAY[person."user_id"::text, person."email"])
            UNION SELECT "id" FROM "audit_entries" WHERE "subject_name" = person."email" AND "subject_name" LIKE '%@%'
            UNION SELECT "id" FROM "audit_entries"
                WHERE ("before"::text LIKE '%@%' OR "after"::text LIKE '%@%') AND jsonb_path_query_array(
                    '[]'::jsonb || coalesce("before", '[]') || coalesce("after", '[]'), 'strict $.** ? (@ like_regex "@")') ? person."email"
        );
        UPDATE "erasures" SET "entry_ids" = person."entry_ids" WHERE "user_id" = person."user_id";
    END IF;
    ids := person."entry_ids"[person."reached_entries" + 1:person."reached_entries" + maximum];
    -- Not as a SET clause of the function, which only a superuser may create for such a parameter.
    PERFORM set_config('audit.maintenance', 'on', true);
    pseudonym := 'Deleted user ' || left(person."user_id"::text, 8);
    -- With the quotation marks of JSON: an address can be the end of another one.
    address := to_json(person."email")::text;
    erased := to_json(pseudonym)::text;
    named := '"name": ' || to_json(person."name")::text;
    renamed := '"name": ' || to_json(pseudonym)::text;
    -- Entries of no team are about the account alone: of these, nothing but the action remains.
    UPDATE "audit_entries" e SET
        "actor_name" = CASE WHEN e."actor_user_id" = person."user_id" THEN pseudonym ELSE e."actor_name" END,
        "subject" = CASE WHEN e."subject" = person."email" THEN pseudonym ELSE e."subject" END,
        "subject_name" = CASE
            WHEN e."subject_name" IS NULL THEN NULL
            WHEN e."team_id" IS NULL OR e."subject" IN (person."user_id"::text, person."email") THEN pseudonym
            WHEN e."subject_name" = person."email" THEN pseudonym
            ELSE e."subject_name" END,
        "before" = CASE WHEN e."team_id" IS NULL THEN NULL
            ELSE replace(replace(e."before"::text, address, erased), named, renamed)::jsonb END,
        "after" = CASE WHEN e."team_id" IS NULL THEN NULL
            ELSE replace(replace(e."after"::text, address, erased), named, renamed)::jsonb END
    WHERE e."id" = ANY (ids);
    PERFORM set_config('audit.maintenance', 'off', true);
    IF person."reached_entries" + maximum < cardinality(person."entry_ids") THEN
        UPDATE "erasures" SET "reached_entries" = "reached_entries" + maximum WHERE "user_id" = person."user_id";
        RETURN maximum;
    END IF;
    DELETE FROM "erasures" WHERE "user_id" = person."user_id";
    RETURN CASE WHEN EXISTS (SELECT FROM "erasures" WHERE "requested_at" < present - interval '1 minute') THEN maximum ELSE cardinality(ids) END;
END
$$;
