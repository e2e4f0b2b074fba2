-- CreateTable
CREATE TABLE "erasures" (
    "user_id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "requested_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "reached_id" UUID,

    CONSTRAINT "erasures_pkey" PRIMARY KEY ("user_id")
);

-- What the erasure of an address looks for.
CREATE INDEX "invitations_email_idx" ON "invitations" ("email");
CREATE INDEX "teams_by_gravatar_email" ON "teams" ("gravatar_email") WHERE "gravatar_email" IS NOT NULL;

-- A trigger, so that every code path that deletes an account is covered.
CREATE FUNCTION "users_deleted"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO "erasures" ("user_id", "email", "name") VALUES (OLD."id", OLD."email", OLD."name") ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;

CREATE TRIGGER "users_deleted" AFTER DELETE ON "users" FOR EACH ROW EXECUTE FUNCTION "users_deleted"();

-- Replaces the name and the address of the user whose account was deleted first, in so many audit entries at most, by a pseudonym.
-- Returns the number of entries that it has read, or the maximum if there is more to do. An account that was deleted a moment ago
-- waits: a change of another user that names it may not be committed yet.
CREATE FUNCTION "erase_deleted_users"(present timestamptz, maximum integer) RETURNS integer LANGUAGE plpgsql AS $$
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
    -- Not as a SET clause of the function, which only a superuser may create for such a parameter.
    PERFORM set_config('audit.maintenance', 'on', true);
    pseudonym := 'Deleted user ' || left(person."user_id"::text, 8);
    -- With the quotation marks of JSON: an address can be the end of another one.
    address := to_json(person."email")::text;
    erased := to_json(pseudonym)::text;
    named := '"name": ' || to_json(person."name")::text;
    renamed := '"name": ' || to_json(pseudonym)::text;
    IF person."reached_id" IS NULL THEN
        DELETE FROM "invitations" WHERE "email" = person."email";
        UPDATE "teams" SET "gravatar_email" = NULL WHERE "gravatar_email" = person."email";
    END IF;
    ids := ARRAY(SELECT "id" FROM "audit_entries" WHERE "id" > coalesce(person."reached_id", '00000000-0000-0000-0000-000000000000') ORDER BY "id" LIMIT maximum);
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
    WHERE e."id" = ANY (ids) AND (
        e."actor_user_id" = person."user_id" OR e."subject" IN (person."user_id"::text, person."email") OR e."subject_name" = person."email"
        OR position(address IN coalesce(e."before"::text, '') || coalesce(e."after"::text, '')) > 0);
    IF cardinality(ids) = maximum THEN
        UPDATE "erasures" SET "reached_id" = ids[maximum] WHERE "user_id" = person."user_id";
        RETURN maximum;
    END IF;
    DELETE FROM "erasures" WHERE "user_id" = person."user_id";
    RETURN CASE WHEN EXISTS (SELECT FROM "erasures" WHERE "requested_at" < present - interval '1 minute') THEN maximum ELSE cardinality(ids) END;
END
$$;
