#pragma once
// Where a webhook is: the rules for the two ways to say it, which conversion and admission share.
#include <cstdint>
#include <string_view>

#include "base/field_path.h"
#include "value/field_error.h"
#include "value/value.h"

namespace strake::crd {

// Of a service that gives none; for webhooks of all sorts and for APIServices.
inline constexpr std::int64_t kDefaultServicePort = 443;

// https://host[/path], with nothing else in it.
void check_webhook_url(std::string_view url, const FieldPath& at, value::FieldErrors& errors);
// {namespace, name, path, port}, with the port filled in.
void check_webhook_service(const value::Value& service, const FieldPath& at,
                           value::FieldErrors& errors);

}  // namespace strake::crd
