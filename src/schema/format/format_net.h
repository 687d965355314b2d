#pragma once
// Network addresses and URIs as Go's packages net, net/netip, net/url and net/mail read them.
#include <string_view>

namespace strake::schema {

enum class LeadingZeros : bool { kRefused, kTolerated };

bool is_ipv4(std::string_view text, LeadingZeros zeros);
bool is_ipv6(std::string_view text, LeadingZeros zeros);  // without a zone
bool is_cidr(std::string_view text, LeadingZeros zeros);
bool is_mac(std::string_view text);           // 6, 8 or 20 octets
bool is_request_uri(std::string_view text);   // url.ParseRequestURI
bool is_mail_address(std::string_view text);  // mail.ParseAddress

}  // namespace strake::schema
