#pragma once
// Floating-point numbers as Go writes them: always the fewest digits that read back as the same
// number. The forms differ only in when an exponent is used and how it is written.
#include <string>

namespace strake {

// strconv.FormatFloat(number, 'g', -1, 64): with an exponent, of at least two digits, when it is
// below -4 or above 5. 100000 is "100000", a million "1e+06", 0.0001 is "0.0001", 0.00001 "1e-05".
// NaN is "NaN", infinity "+Inf" or "-Inf".
std::string format_go_g(double number);

// fmt's %v of a float64, which is the same.
inline std::string format_go_v(double number) { return format_go_g(number); }

// encoding/json: with an exponent when the size is below 1e-6 or from 1e21 on, without a zero in
// front: "1e-7", "1e+21". The number must be finite, since JSON has no other; else it is written as
// format_go_g does.
std::string format_json_number(double number);
void append_json_number(std::string& out, double number);

}  // namespace strake
